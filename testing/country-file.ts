import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { TestApp } from './start-test-app.ts'

const stringType = 2
const mapType = 7
const uint16Type = 5
const uint32Type = 6

const control = (type: number, size: number): Buffer => Buffer.from([(type << 5) | size])
const extended = (type: number, size: number): Buffer => Buffer.from([size, type - 7])

const text = (value: string): Buffer => Buffer.concat([control(stringType, value.length), Buffer.from(value)])

function number(type: number, value: number): Buffer {
  const bytes = Buffer.from(value.toString(16).padStart(8, '0'), 'hex')
  const [size, head] =
    type > 7 ? [8, extended(type, 8)] : type === uint16Type ? [2, control(type, 2)] : [4, control(type, 4)]
  return Buffer.concat([head, Buffer.alloc(Math.max(0, size - 4)), bytes.subarray(Math.max(0, 4 - size))])
}

const map = (fields: Record<string, Buffer>): Buffer =>
  Buffer.concat([
    control(mapType, Object.keys(fields).length),
    ...Object.entries(fields).flatMap(([name, value]) => [text(name), value]),
  ])

/** A file in MaxMind's format that maps IPv4 networks to countries. `builtAt` in epoch seconds. */
export function countryFile(networks: Record<string, string>, builtAt: number): Buffer {
  const nodes: [number | Leaf | undefined, number | Leaf | undefined][] = [[undefined, undefined]]
  for (const [network, country] of Object.entries(networks)) insert(nodes, network, { country })
  const data: Buffer[] = []
  let dataBytes = 0
  const records = nodes.flat().map((record) => {
    if (record === undefined) return nodes.length
    if (typeof record === 'number') return record
    const entry = map({ country: map({ iso_code: text(record.country) }) })
    const offset = dataBytes
    data.push(entry)
    dataBytes += entry.length
    return nodes.length + 16 + offset
  })
  const tree = Buffer.concat(records.map((record) => Buffer.from([record >> 16, (record >> 8) & 255, record & 255])))
  const metadata = map({
    node_count: number(uint32Type, nodes.length),
    record_size: number(uint16Type, 24),
    ip_version: number(uint16Type, 4),
    database_type: text('Test-Country'),
    languages: extended(11, 0),
    binary_format_major_version: number(uint16Type, 2),
    binary_format_minor_version: number(uint16Type, 0),
    build_epoch: number(9, builtAt),
    description: map({}),
  })
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    ...data,
    Buffer.from('abcdef', 'hex'),
    Buffer.from('MaxMind.com'),
    metadata,
  ])
}

/** Gives the server a country file, or takes it away, and waits until the server has noticed. */
export function setCountries(app: TestApp, networks: Record<string, string> | undefined): void {
  const path = app.services.config.ipData.countryFile
  mkdirSync(dirname(path), { recursive: true })
  if (networks) writeFileSync(path, countryFile(networks, app.now()))
  else rmSync(path, { force: true })
  // The server looks for the file every ten seconds.
  app.advance(11)
}

interface Leaf {
  country: string
}

function insert(nodes: [number | Leaf | undefined, number | Leaf | undefined][], network: string, leaf: Leaf): void {
  const [address = '', bits = '32'] = network.split('/')
  const path = address.split('.').flatMap((part) => [...Number(part).toString(2).padStart(8, '0')].map(Number))
  let at = 0
  for (const side of path.slice(0, Number(bits) - 1)) {
    const node = nodes[at] as [number | Leaf | undefined, number | Leaf | undefined]
    const next = node[side as 0 | 1]
    if (typeof next === 'number') at = next
    else {
      nodes.push([undefined, undefined])
      node[side as 0 | 1] = nodes.length - 1
      at = nodes.length - 1
    }
  }
  ;(nodes[at] as [unknown, unknown])[path[Number(bits) - 1] as 0 | 1] = leaf
}
