/** A moving 1 px line at the top of a surface while it loads. */
export function Filament({ active }: { active: boolean }) {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-x-0 top-0 z-10 h-px overflow-hidden">
      {active && <div className="h-px w-1/4 animate-filament bg-accent-edge" />}
    </div>
  )
}
