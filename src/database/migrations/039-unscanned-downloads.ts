/** Files that a scanner has not found clean yet: nobody gets them. */
export const unscannedDownloadsMigration = {
  name: 'files that wait for a scan',
  sql: () => `
-- Epoch seconds; null when it is clean, or was uploaded without a scanner.
alter table downloads add column unscanned_since bigint;
create index downloads_unscanned on downloads (unscanned_since) where unscanned_since is not null;
`,
}
