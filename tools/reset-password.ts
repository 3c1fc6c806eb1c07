import { openDatabase } from '../src/database/open-database.ts'
import { CommandFailed, readArguments, readSettings, runCommandLine } from '../src/operating/command-line.ts'
import { createResetLinkOf } from '../src/operating/reset-password.ts'

const usage = `
npm run reset-password -- NAME

Prints a link with which the account sets a new password, once and within 30 minutes. NAME is the username or email
address of an administrator, an owner, or a reseller. A server can be running.
`

await runCommandLine(async () => {
  const [name, ...others] = readArguments(usage, {}, true).positionals
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
