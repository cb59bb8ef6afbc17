-- The position of a part of a text, as SQLite calls it.
CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN strpos($1, $2);
