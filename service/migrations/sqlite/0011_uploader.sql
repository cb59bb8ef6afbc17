-- Who made a temporary upload, for only they attach or delete it. Uploads from before belong to nobody, and end by themselves.
ALTER TABLE temporary_uploads ADD COLUMN token_id INTEGER;
