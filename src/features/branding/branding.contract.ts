import { Type } from 'typebox'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { reply } from '#contract/fields.ts'

/** How the dashboard looks on the address it is asked at. */
export const brandingContract = {
  branding: defineCall({
    method: 'GET',
    path: '/branding',
    access: 'anyone',
    duringMaintenance: true,
    summary: "The brand of a reseller's proved domain, by the Host header; on any other host Signet's own.",
    reply: reply({
      branding: Type.Object({
        primaryColor: Type.String(),
        secondaryColor: Type.String(),
        companyName: Type.String(),
        logo: Type.String({ description: 'An https address; empty without one' }),
      }),
    }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof brandingContract> {}
}
