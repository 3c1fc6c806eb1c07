/** A pulsing dot for an active connection. The text next to it must say the same. */
export function LiveDot({ on = true }: { on?: boolean }) {
  return (
    <span aria-hidden="true" className="relative inline-flex size-2 shrink-0">
      {on && <span className="absolute -inset-[3px] animate-breathe rounded-full bg-accent-edge/25" />}
      <span
        className={`relative size-2 keep-color rounded-full ${on ? 'bg-accent-edge' : 'border border-line-strong'}`}
      />
    </span>
  )
}
