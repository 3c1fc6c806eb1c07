import type { CallsOf } from '#contract/calls.ts'
import { Type } from 'typebox'
import { defineCall } from '#contract/define-call.ts'
import { reply } from '#contract/fields.ts'

/** The brand of the dashboard, by the host it is opened on. */
export const brandingContract = {
  branding: defineCall('GET /branding', {
    access: 'anyone',
    duringMaintenance: true,
    summary:
      "Get the brand of the reseller whose verified domain is in the Host header, or Signet's own brand on any other host.",
    reply: reply({
      branding: Type.Object({
        primaryColor: Type.String(),
        secondaryColor: Type.String(),
        companyName: Type.String(),
        logo: Type.String({ description: 'An https URL; empty if none is set' }),
      }),
    }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof brandingContract> {}
}
