/** Values and bodies that may break parsers, validators and databases, whatever the field. */

const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown
const texts = ['', ' ', '\0', '\uD800', '\u202Eabc', '💣'.repeat(300), 'x'.repeat(100_000), '9'.repeat(400)]
const words = ['__proto__', 'constructor', 'toString', "' or 1=1 --", '%', '\\', '1e309', '-0', 'NaN']
const dates = ['2026-02-30', '+275760-09-13T00:00:00.001Z', '-271821-04-20T00:00:00.000Z']
const numbers = [0, -1, 1.5, 1e308, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 64), 253_402_300_800]
const lists = [[], ['x', 'x'], [null], ['\0'], ['\uD800'], [2 ** 53], Array.from({ length: 5000 }, () => 'x'), deep]
const others: unknown[] = [null, true, {}, { length: 1 }, { toString: 'x' }, JSON.parse('{"__proto__":1}')]
export const hostileValues: readonly unknown[] = [texts, words, dates, numbers, lists, others].flat()
const notObjects = ['', ' ', '\0', '{', '}', '[]', '[{}]', '""', '0', 'true', 'null', 'NaN', JSON.stringify(deep)]
const almostJson = ['{"a":1}{"b":2}', '{"a":1,}', "{'a':1}", '\uFEFF{}', '[1e999]', '{"\\ud800":1}']
const poison = ['{"__proto__":{"x":1}}', '{"constructor":{"prototype":{}}}']
export const hostileBodyTexts: readonly string[] = [...notObjects, ...almostJson, ...poison]
const plainTypes = ['text/plain', 'application/xml', 'multipart/form-data', 'application/x-www-form-urlencoded']
const oddTypes = ['x', ';', 'application/json; charset=utf-16', 'application/json;;', 'application/octet-stream']
export const hostileContentTypes: readonly string[] = [...plainTypes, ...oddTypes]
