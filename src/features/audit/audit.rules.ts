/** Lists count matching entries up to this number: counting a million takes longer than finding ten. */
export const maxCounted = 10_000
