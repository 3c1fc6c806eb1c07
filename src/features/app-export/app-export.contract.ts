import type { CodesOf } from '#contract/codes.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { appFields, reply, strict } from '#contract/fields.ts'

/** All that an owner has stored of an app, to take along (R-PII-02). */

export const appExportContract = {
  exportApp: defineCall({
    method: 'POST',
    path: '/export_app',
    access: 'account',
    app: true,
    summary:
      "The app's data as one JSON file: settings, levels, licenses, users, variables, sessions, seller keys, webhooks, files' metadata, resellers with their credits. No passwords, secrets or private keys, and no logs, which have an export of their own.",
    body: strict({ ...appFields }),
    reply: reply({}),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof appExportContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof appExportContract> {}
}
