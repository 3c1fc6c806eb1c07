import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import { appFields, reply, strict } from '#contract/fields.ts'

/** Export of all data that an owner has stored in an app. */

export const appExportContract = {
  exportApp: appCall('POST /export_app', {
    summary:
      'Export the data of an app as one JSON file: settings, levels, licenses, users, variables, sessions, seller keys, webhooks, file metadata, and resellers with their credits. Passwords, secrets, private keys and logs are not included; logs have their own export.',
    body: strict({ ...appFields }),
    reply: reply({}),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof appExportContract> {}
  interface Codes extends CodesOf<typeof appExportContract> {}
}
