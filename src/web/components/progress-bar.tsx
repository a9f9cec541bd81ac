interface ProgressBarProps {
  label: string
  /** 0 to 1; null while unknown. */
  part: number | null
  text?: string
}

export function ProgressBar({ label, part, text }: ProgressBarProps) {
  const percent = part === null ? null : Math.round(Math.min(1, Math.max(0, part)) * 100)
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="font-semibold">{label}</span>
        <span className="text-muted tabular-nums">{text ?? (percent === null ? '' : `${percent}%`)}</span>
      </p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(percent === null ? {} : { 'aria-valuenow': percent, 'aria-valuetext': text ?? `${percent}%` })}
        className="h-3 overflow-hidden rounded-box bg-line"
      >
        <div
          className={`h-full rounded-box bg-primary transition-[width] duration-150 ${percent === null ? 'w-full animate-pulse' : ''}`}
          style={percent === null ? {} : { width: `${percent}%` }}
        />
      </div>
    </div>
  )
}
