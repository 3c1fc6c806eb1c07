/**
 * Restricts new files of this process to its own user, whatever the folder or the shell says: databases, their logs and
 * search indexes, backups, uploaded files. SQLite accepts no file mode, so this sets the umask.
 */
export function restrictNewFiles(): void {
  process.umask(0o077)
}
