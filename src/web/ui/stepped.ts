/** The next value of a step button: a multiple of the step from `min`, within the bounds. */
export function stepped(value: number | undefined, by: number, min = -Infinity, max = Infinity): number {
  const base = Number.isFinite(min) ? min : 0
  if (value === undefined) return Math.min(Math.max(base, min), max)
  const step = Math.abs(by)
  const places = String(step).split('.')[1]?.length ?? 0
  const steps = (value - base) / step
  const next = base + (by > 0 ? Math.floor(steps + 1e-9) + 1 : Math.ceil(steps - 1e-9) - 1) * step
  return Number(Math.min(Math.max(next, min), max).toFixed(places))
}
