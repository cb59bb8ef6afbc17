-- The bytes of a tenant's contents, each content once: what its quota counts.
INSERT INTO counters (tenant_id, name, value)
SELECT tenant_id, 'contents.bytes', sum(size) FROM contents WHERE true GROUP BY tenant_id
ON CONFLICT DO UPDATE SET value = excluded.value;

CREATE TRIGGER contents_are_counted AFTER INSERT ON contents BEGIN
    INSERT INTO counters (tenant_id, name, value) VALUES (new.tenant_id, 'contents.bytes', new.size)
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;

CREATE TRIGGER contents_are_discounted AFTER DELETE ON contents BEGIN
    UPDATE counters SET value = value - old.size WHERE tenant_id = old.tenant_id AND name = 'contents.bytes';
END;
