INSERT INTO business_types (tenant_id, id, name, name_folded) VALUES (1, 1, 'One', 'one'), (1, 2, 'Two', 'two');
INSERT INTO service_types (tenant_id, id, name, name_folded) VALUES (1, 1, 'One', 'one'), (1, 2, 'Two', 'two');
INSERT INTO currencies (tenant_id, id, name, name_folded) VALUES (1, 1, 'One', 'one'), (1, 2, 'Two', 'two');
INSERT INTO sales_tax_items (tenant_id, id, name, name_folded) VALUES (1, 1, 'One', 'one'), (1, 2, 'Two', 'two');
INSERT INTO classes (tenant_id, id, name, name_folded) VALUES (1, 1, 'One', 'one'), (1, 2, 'Two', 'two');
INSERT INTO approval_routes (tenant_id, id, name, name_folded) VALUES (1, 1, 'One', 'one'), (1, 2, 'Two', 'two');
INSERT INTO account_codes (tenant_id, id, name, name_folded) VALUES (1, 1, 'One', 'one'), (1, 2, 'Two', 'two');
INSERT INTO countries (tenant_id, id, name, name_folded) VALUES (1, 1, 'Österreich', 'österreich');
INSERT INTO address_types (tenant_id, id, name, name_folded) VALUES (1, 1, 'Physical', 'physical');
INSERT INTO email_types (tenant_id, id, name, name_folded) VALUES (1, 1, 'Work', 'work');
INSERT INTO phone_types (tenant_id, id, name, name_folded) VALUES (1, 1, 'Office', 'office');
INSERT INTO account_types (tenant_id, id, name, name_folded) VALUES (1, 1, 'Customer', 'customer'), (1, 2, 'Vendor', 'vendor');
INSERT INTO assignees (tenant_id, id, name, name_folded, user_name, is_employee, is_active) VALUES
    (1, 7, 'Jo Doe', 'jo doe', 'jdoe', 1, 1), (1, 8, 'Night Queue', 'night queue', NULL, 0, 1), (1, 9, 'Gone', 'gone', NULL, 1, 0);
INSERT INTO roles (tenant_id, id, name) VALUES (1, 1, 'Engineer');
INSERT INTO assignee_roles (tenant_id, assignee_id, role_id, is_default) VALUES (1, 7, 1, 1);
INSERT INTO agent_procedures (tenant_id, integration_type_id, id, name, name_folded) VALUES (1, 2, 1, 'Reboot', 'reboot'), (1, 2, 2, 'Audit', 'audit');
INSERT INTO colors (tenant_id, id, module_id, name) VALUES (1, 1, 1, 'Red'), (1, 2, 2, 'Blue');
INSERT INTO chart_of_account_types (tenant_id, id, name, name_folded) VALUES (1, 1, 'Income', 'income');
INSERT INTO chart_of_accounts (tenant_id, id, code, code_folded, name, name_folded, type_id, parent_id, is_active) VALUES
    (1, 1, '4000', '4000', 'Revenue', 'revenue', 1, NULL, 1), (1, 2, '4100', '4100', 'Services', 'services', 1, 1, 0);
INSERT INTO custom_fields (tenant_id, id, name, type) VALUES (1, 9, 'Colour', 1);
INSERT INTO company_settings (tenant_id, key, module_id, value) VALUES (1, 'Currency', 1, '"EUR"');
INSERT INTO agents (tenant_id, id, name, time_zone, products) VALUES (1, '100', 'PC', 'Europe/Vienna', '["Windows 11"]'), (1, '200', NULL, NULL, '[]');
INSERT INTO agent_notes (tenant_id, id, agent_id, user_name, user_name_folded, email, email_folded, created_on, description) VALUES
    (1, 1, '100', 'Jo', 'jo', NULL, NULL, 1000000, 'Disk replaced'), (1, 2, '100', 'Ann', 'ann', 'A@x', 'a@x', 2000000, 'Fan loud'),
    (1, 3, '200', 'Jo', 'jo', 'j@x', 'j@x', 3000000, 'ÜBER fan');
INSERT INTO patches (tenant_id, id, description, product, release_date, status) VALUES
    (1, 1, 'First', 'Windows 11', 0, 0), (1, 2, 'Second', 'Windows 11', 0, 1), (1, 3, 'Third', 'Office', 0, 0), (1, 4, 'Fourth', 'Windows 11', 0, 0);
INSERT INTO installed_patches (tenant_id, agent_id, patch_id) VALUES (1, '100', 4);
INSERT INTO counters (tenant_id, name, value) VALUES (1, 'names', 1);
