import { openDatabase } from '../src/database/open-database.ts'
import { CommandFailed, readArguments, readSettings, runCommandLine } from '../src/operating/command-line.ts'
import { createResetLinkOf } from '../src/operating/reset-password.ts'

/**
 * `npm run reset-password -- NAME`: prints a one-time link that sets a new password for an administrator, an owner or a
 * reseller, by username or email address. Can run next to a server.
 */
await runCommandLine(async () => {
  const [name, ...others] = readArguments({}, true).positionals
  if (name === undefined || others.length > 0)
    throw new CommandFailed('Name the account: npm run reset-password -- NAME')
  const config = readSettings()
  const db = await openDatabase({ ...config, sources: [], shared: true })
  try {
    const now = Math.floor(Date.now() / 1000)
    const { username, resetLink, expiresAt } = await createResetLinkOf(db, { name, publicUrl: config.publicUrl, now })
    console.log(
      `Password reset link for ${username}, valid once until ${new Date(expiresAt * 1000).toISOString()}:\n${resetLink}`,
    )
  } finally {
    await db.close()
  }
}, console.error)
