export function SignetMark() {
  return (
    <span className="inline-flex items-center gap-2.5 text-section font-semibold tracking-[-0.01em]">
      <svg viewBox="0 0 24 24" className="size-6 text-accent-text" fill="none" stroke="currentColor" aria-hidden="true">
        <path d="M12 2.200 20.500 7.100v9.800L12 21.800 3.500 16.900V7.100z" strokeWidth="1.600" strokeLinejoin="round" />
        <path
          d="M15.200 9.300c-.7-.9-1.900-1.300-3.300-1.300-1.800 0-3 .8-3 2 0 2.900 6.200 1.100 6.200 3.900 0 1.300-1.300 2.100-3.100 2.100-1.500 0-2.700-.5-3.400-1.400"
          strokeWidth="1.600"
          strokeLinecap="round"
        />
      </svg>
      Signet
    </span>
  )
}
