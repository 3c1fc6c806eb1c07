/**
 * A copy of a short text of a request, to be kept after it: V8 stores a part of a string as a reference to all of it,
 * so each header that is kept would keep the head of its request. Only for ASCII.
 */
export const keptText = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')
