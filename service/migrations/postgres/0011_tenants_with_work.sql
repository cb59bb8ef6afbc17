-- Which tenants have something to be done: a transaction without a tenant learns no more of their rows than that.

CREATE FUNCTION tenants_with_due_scans(until bigint) RETURNS SETOF integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT o.id FROM (
        SELECT t.id, (
            SELECT s.next_at FROM scan_schedules AS s
            JOIN agents AS a ON a.tenant_id = s.tenant_id AND a.id = s.agent_id
            WHERE s.tenant_id = t.id AND s.next_at <= until AND s.problem IS NULL AND (NOT s.is_waiting OR a.is_online)
            ORDER BY s.next_at, s.agent_id LIMIT 1) AS first
        FROM tenants AS t) AS o
    WHERE o.first IS NOT NULL ORDER BY o.first, o.id
$$;

CREATE FUNCTION next_scan() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT min((
        SELECT s.next_at FROM scan_schedules AS s
        WHERE s.tenant_id = t.id AND s.next_at IS NOT NULL AND NOT s.is_waiting AND s.problem IS NULL
        ORDER BY s.next_at, s.agent_id LIMIT 1))
    FROM tenants AS t
$$;

CREATE FUNCTION tenants_with_scan_problems() RETURNS SETOF integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT DISTINCT tenant_id FROM scan_schedules WHERE problem IS NOT NULL
$$;

CREATE FUNCTION tenants_with_old_records(
    uploads bigint, contents bigint, idempotency_keys bigint, changes bigint, scan_runs bigint, jobs bigint
) RETURNS SETOF integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT t.id FROM tenants AS t WHERE
        EXISTS (SELECT 1 FROM temporary_uploads AS u WHERE u.tenant_id = t.id AND u.expires_on <= $1)
        OR EXISTS (
            SELECT 1 FROM contents AS c WHERE c.tenant_id = t.id AND c.claimed_on < $2
            AND NOT EXISTS (SELECT 1 FROM attachments AS a WHERE a.tenant_id = c.tenant_id AND a.hash = c.hash)
            AND NOT EXISTS (SELECT 1 FROM temporary_uploads AS u WHERE u.tenant_id = c.tenant_id AND u.hash = c.hash))
        OR EXISTS (SELECT 1 FROM unused_blobs AS b WHERE b.tenant_id = t.id)
        OR EXISTS (SELECT 1 FROM idempotency_keys AS k WHERE k.tenant_id = t.id AND k.created_on < $3)
        -- Changes without a number get one before they can be old. The newest change of a tenant stays.
        OR EXISTS (SELECT 1 FROM audit_log AS l WHERE l.tenant_id = t.id AND l.sequence IS NULL)
        OR (SELECT l.recorded_on FROM audit_log AS l
            WHERE l.tenant_id = t.id AND l.sequence < (SELECT max(sequence) FROM audit_log WHERE tenant_id = t.id)
            ORDER BY l.sequence LIMIT 1) < $4
        OR EXISTS (SELECT 1 FROM scan_runs AS r WHERE r.tenant_id = t.id AND r.recorded_on < $5)
        OR EXISTS (SELECT 1 FROM jobs AS j WHERE j.tenant_id = t.id AND coalesce(j.finished_on, j.started_on) < $6)
    ORDER BY t.id
$$;
