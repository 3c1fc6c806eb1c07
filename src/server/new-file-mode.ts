/**
 * What this process creates is for its own user alone, whatever the folder or the shell says: databases, their logs and
 * search indexes, backups, uploaded files. SQLite takes no mode for its files, so the umask has to say it.
 */
export function closeNewFiles(): void {
  process.umask(0o077)
}
