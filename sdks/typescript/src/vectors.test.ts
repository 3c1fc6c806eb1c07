import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { knownVectorFiles, vectorChecks } from '../conformance-vectors.ts'

/** Every case of sdks/vectors. */

const folder = fileURLToPath(new URL('../../vectors/', import.meta.url))
const checks = vectorChecks(folder)

test.each(checks)('$name', ({ run }) => run())

test('every file of vectors is there, and known', () => {
  expect(readdirSync(folder).toSorted()).toEqual(knownVectorFiles.toSorted())
  expect(checks.length).toBeGreaterThan(500)
})
