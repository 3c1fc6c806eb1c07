import type { Engine } from '../database.ts'

const columns = `
  reseller_id text primary key references resellers (id) on delete cascade,
  domain text not null,
  company_name text not null,
  logo_url text not null,
  primary_color text not null,
  secondary_color text not null,
  proof text not null,
  proved_at bigint,
  created_at bigint not null
`

/** SQLite can't drop the constraint of a column. */
const withoutUnique = {
  sqlite: `
create table reseller_domains_new (${columns});
insert into reseller_domains_new select
  reseller_id, domain, company_name, logo_url, primary_color, secondary_color, proof, proved_at, created_at
  from reseller_domains;
drop table reseller_domains;
alter table reseller_domains_new rename to reseller_domains;
`,
  postgres: 'alter table reseller_domains drop constraint reseller_domains_domain_key;',
}

/** Whoever proves a domain has it: one that somebody only claims is not taken from others. */
export const provedDomainsMigration = {
  name: 'domains are taken by proof',
  sql: (engine: Engine) => `
${withoutUnique[engine]}
create unique index reseller_domains_proved on reseller_domains (domain) where proved_at is not null;
`,
}
