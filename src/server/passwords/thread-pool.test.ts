import { expect, test } from 'vitest'
import { hashingThreads, sizeThreadPool } from './thread-pool.ts'

test.each([
  [1, '8', 1],
  [2, '8', 2],
  [4, '8', 4],
  [6, '10', 6],
  [64, '68', 64],
])('with %i cores the pool has %s threads, and %i of them hash passwords (R-AUTH-07)', (cores, size, hashing) => {
  const environment = { UV_THREADPOOL_SIZE: '' }
  sizeThreadPool(environment, cores)
  expect(environment.UV_THREADPOOL_SIZE).toBe(size)
  expect(hashingThreads(environment, cores)).toBe(hashing)
})

test.each([
  ['1', 1],
  ['4', 1],
  ['6', 2],
  ['100', 16],
  ['many', 1],
  [undefined, 1],
])('a pool size of %s set by the operator stays; %i threads hash passwords', (size, hashing) => {
  const environment = size === undefined ? {} : { UV_THREADPOOL_SIZE: size }
  const before = { ...environment }
  expect(hashingThreads(environment, 16)).toBe(hashing)
  if (size !== undefined) sizeThreadPool(environment, 16)
  expect(environment).toEqual(before)
})
