-- The two roles and the database, when PostgreSQL makes its folder of data. The passwords are in its environment.
\getenv owner_password SERVICE_OWNER_PASSWORD
\getenv password SERVICE_PASSWORD
CREATE ROLE service_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE service LOGIN PASSWORD :'password';
CREATE DATABASE service OWNER service_owner ENCODING 'UTF8' TEMPLATE template0;
