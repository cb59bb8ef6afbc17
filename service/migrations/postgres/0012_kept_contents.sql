-- Until when no content may be forgotten, in microseconds since 1970 by the clock of the server: whoever needs them moves it on for
-- as long as it lives. There is one row for all tenants; whoever forgets contents holds it, so that nobody needs them meanwhile.
CREATE TABLE kept_contents (
    id    integer PRIMARY KEY,
    until bigint NOT NULL
);

INSERT INTO kept_contents (id, until) VALUES (1, 0);
