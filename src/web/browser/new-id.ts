/** A random ID. `crypto.randomUUID` is missing on pages loaded over plain HTTP from another machine. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
