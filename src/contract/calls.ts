/**
 * Every website call, by its literal (`'GET /licenses'`). Each contract adds its own:
 * `declare module '#contract/calls.ts' { interface Calls extends CallsOf<typeof licensesContract> {} }`
 */
// oxlint-disable-next-line typescript/no-empty-interface -- features merge into it
export interface Calls {}
