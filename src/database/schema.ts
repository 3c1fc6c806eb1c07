/**
 * Every table by name. A feature adds its own in `<feature>.table.ts`:
 * `declare module '#database/schema.ts' { interface Schema { licenses: LicensesTable } }`
 */
// oxlint-disable-next-line typescript/no-empty-interface -- features merge into it
export interface Schema {}
