/** Uploaded files that their owner has not completed yet: nobody gets them, and a cleanup deletes them after a day. */
export const incompleteUploadsMigration = {
  name: 'uploads that are not completed',
  sql: () => `
-- Epoch seconds of the upload; null once it is completed.
alter table downloads add column incomplete_since bigint;
create index downloads_incomplete on downloads (incomplete_since) where incomplete_since is not null;
`,
}
