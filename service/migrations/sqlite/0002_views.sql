-- A contact beside its account and the main address of its location.
CREATE VIEW contact_infos AS
SELECT c.tenant_id, c.id, c.account_id, c.location_id, c.is_active,
    trim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) AS name,
    (SELECT p.number FROM contact_phones AS p
        WHERE p.tenant_id = c.tenant_id AND p.contact_id = c.id ORDER BY p.is_default DESC, p.id LIMIT 1) AS contact_phone,
    (SELECT e.address FROM contact_emails AS e
        WHERE e.tenant_id = c.tenant_id AND e.contact_id = c.id ORDER BY e.is_default DESC, e.id LIMIT 1) AS contact_email,
    a.name AS client_name, a.account_type_id, a.website, l.name AS location_name,
    d.phone, d.fax, d.address1, d.address2, d.city, d.state, d.zip_code, d.country_id, d.latitude, d.longitude
FROM contacts AS c
JOIN accounts AS a ON a.tenant_id = c.tenant_id AND a.id = c.account_id
JOIN account_locations AS l ON l.tenant_id = c.tenant_id AND l.account_id = c.account_id AND l.id = c.location_id
LEFT JOIN account_addresses AS d ON d.tenant_id = c.tenant_id AND d.account_id = c.account_id
    AND d.location_id = c.location_id AND d.id = (
        SELECT m.id FROM account_addresses AS m
        WHERE m.tenant_id = c.tenant_id AND m.account_id = c.account_id AND m.location_id = c.location_id
        ORDER BY m.is_main DESC, m.id LIMIT 1);

CREATE VIEW missing_patch_infos AS
SELECT m.tenant_id, m.agent_id, p.id, p.description, p.kb_article, p.security_bulletin_link, p.product,
    p.update_classification, p.release_date, p.status, p.update_category, p.location_pending, p.location_id,
    m.patch_state, m.ignored, m.wua_override_flag, p.is_superseded, p.manual_update_flag, m.sched_together, p.attributes,
    p.description_folded, p.kb_article_folded, p.security_bulletin_link_folded, p.product_folded
FROM missing_patches AS m JOIN patches AS p ON p.tenant_id = m.tenant_id AND p.id = m.patch_id;
