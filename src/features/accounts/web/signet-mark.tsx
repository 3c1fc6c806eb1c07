export function SignetMark() {
  return (
    <span className="inline-flex items-center gap-2.5 text-section font-semibold tracking-[-0.01em]">
      <svg viewBox="0 0 24 24" className="size-6 text-accent-text" fill="none" stroke="currentColor" aria-hidden="true">
        <path d="M12 2.2 20.5 7.100v9.800L12 21.8 3.5 16.900V7.100z" strokeWidth="1.6" strokeLinejoin="round" />
        <path
          d="M15.2 9.300c-.7-.9-1.9-1.3-3.3-1.3-1.8 0-3 .8-3 2 0 2.9 6.2 1.1 6.2 3.9 0 1.3-1.3 2.1-3.1 2.1-1.5 0-2.7-.5-3.4-1.4"
          strokeWidth="1.6"
          strokeLinecap="round"
        />
      </svg>
      Signet
    </span>
  )
}
