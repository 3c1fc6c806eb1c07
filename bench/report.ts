import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './measurement.ts'

export interface Report {
  engine: string
  /** The selected measurements; empty for all. */
  only: string[]
  quick: boolean
  startedAt: string
  machine: { cores: number; processor: string; memoryGb: number; node: string; platform: string }
  figures: Figure[]
  failures: { name: string; error: string }[]
}

export function machineFacts(): Report['machine'] {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  }
}

function isMet({ value, target }: Figure): boolean | undefined {
  if (!target) return undefined
  return 'min' in target ? value >= target.min : value <= target.max
}

const digits = (value: number): string =>
  Math.abs(value) < 100 ? String(Number(value.toFixed(2))) : Math.round(value).toLocaleString('en')

const targetOf = ({ target, unit }: Figure): string =>
  target ? ('min' in target ? `≥ ${target.min} ${unit}` : `≤ ${target.max} ${unit}`) : ''

export function printReport({ engine, figures, failures, quick }: Report): void {
  console.log(`\n${engine}${quick ? ' (quick: not for quoting)' : ''}`)
  const rows = figures.map((figure) => {
    const met = isMet(figure)
    const verdict = met === undefined ? '' : met ? 'met' : 'MISSED'
    return [figure.name, `${digits(figure.value)} ${figure.unit}`, targetOf(figure), verdict, figure.note ?? '']
  })
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows)
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  for (const { name, error } of failures) console.log(`${name}: NOT MEASURED: ${error}`)
}

/**
 * CPU time per call relative to a bare hello of the same run, next to the newest committed result: this ratio hardly
 * depends on the machine.
 */
export function printComparison({ engine, figures }: Report): void {
  const committed = globSync(`*-${engine}*.json`, { cwd: results })
    .map((file) => JSON.parse(readFileSync(join(results, file), 'utf8')) as Partial<Report>)
    .toSorted((one, other) => String(other.startedAt).localeCompare(String(one.startedAt)))
  console.log(`\n${engine}: processor time by hello, beside the committed results`)
  for (const { name, value, unit } of figures) {
    if (unit !== '×') continue
    const before = committed.find((report) => report.figures?.some((each) => each.name === name))
    const then = before?.figures?.find((each) => each.name === name)?.value
    const change = then === undefined ? 'nothing committed' : `${digits((value / then - 1) * 100)} %`
    const dated = then === undefined ? '' : `${digits(then)} × on ${before?.startedAt?.slice(0, 10)}`
    console.log(`${name.padEnd(44)}${digits(value)} ×  ${dated}  ${change}`)
  }
}

const results = join(import.meta.dirname, 'results')

/** `bench/results/<date>-<engine>[-<only>].json`; quick runs write none, because their figures are meaningless. */
export function writeReport(report: Report): void {
  if (report.quick) return
  mkdirSync(results, { recursive: true })
  const figures = report.figures.map((figure) => ({ ...figure, met: isMet(figure) }))
  const file = join(results, `${[report.startedAt.slice(0, 10), report.engine, ...report.only].join('-')}.json`)
  writeFileSync(file, `${JSON.stringify({ ...report, figures }, undefined, 2)}\n`)
  console.log(`Written to ${file}`)
}
