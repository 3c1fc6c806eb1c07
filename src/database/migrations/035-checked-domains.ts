/** Proved domains are checked again; the partial index is the line in which they wait for it. */
export const checkedDomainsMigration = {
  name: 'proved domains are checked again',
  sql: () => `
alter table reseller_domains add column checked_at bigint not null default 0;
alter table reseller_domains add column missing_since bigint;
alter table reseller_domains add column lost_at bigint;
create index reseller_domains_check on reseller_domains (checked_at) where proved_at is not null;
`,
}
