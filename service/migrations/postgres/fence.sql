-- A second fence: the server itself shows a transaction only the rows of the tenant that `service.tenant` names, and none without
-- it. It does not hold those who own the tables: migrations and dumps see everything, and the service connects as another role.
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN
        SELECT c.table_name FROM information_schema.columns AS c
        JOIN information_schema.tables AS t USING (table_schema, table_name)
        WHERE c.table_schema = current_schema() AND c.column_name = 'tenant_id' AND t.table_type = 'BASE TABLE'
        EXCEPT SELECT tablename FROM pg_policies WHERE schemaname = current_schema() AND policyname = 'of_tenant'
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format(
            $policy$
            CREATE POLICY of_tenant ON %I
            USING (tenant_id = (SELECT nullif(current_setting('service.tenant', true), '')::integer))
            $policy$,
            name
        );
    END LOOP;
END $$;

-- A view shows what its owner may see; from PostgreSQL 15 on, what whoever asks may see.
DO $$
DECLARE
    name text;
BEGIN
    IF current_setting('server_version_num')::integer >= 150000 THEN
        FOR name IN SELECT table_name FROM information_schema.views WHERE table_schema = current_schema() LOOP
            EXECUTE format('ALTER VIEW %I SET (security_invoker = true)', name);
        END LOOP;
    END IF;
END $$;
