export const exposedSellerKeysMigration = {
  name: 'seller keys that stood in a URL',
  sql: () => `
-- Epoch seconds of the first time the present secret was seen there; rotating ends it.
alter table seller_keys add column exposed_at bigint;
`,
}
