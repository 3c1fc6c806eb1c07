import type { Command } from './command.ts'
import { completionCommand } from './completion.ts'
import { licenseCommands } from './license-commands.ts'
import { logCommands } from './log-commands.ts'
import { loginCommands } from './login-commands.ts'
import { releaseCommand } from './release-command.ts'
import { sessionCommands } from './session-commands.ts'
import { settingCommands } from './setting-commands.ts'
import { userCommands } from './user-commands.ts'
import { variableCommands } from './variable-commands.ts'
import { webhookCommands } from './webhook-commands.ts'

/** In the order of `signet help`. */
export const commands: readonly Command[] = withCompletion([
  ...loginCommands,
  ...licenseCommands,
  ...userCommands,
  ...sessionCommands,
  ...logCommands,
  ...webhookCommands,
  releaseCommand,
  ...variableCommands,
  ...settingCommands,
])

function withCompletion(others: readonly Command[]): Command[] {
  return [...others, completionCommand(others)]
}
