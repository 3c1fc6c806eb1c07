/** A list says how many entries match up to here: counting a million of them would take longer than finding ten. */
export const maxCounted = 10_000
