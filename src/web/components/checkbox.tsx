import { useEffect, useRef } from 'react'

interface CheckboxProps {
  label: string
  checked: boolean
  mixed?: boolean
  disabled?: boolean
  onChange: () => void
}

/** The checkbox of a row. Its whole cell is the target, 44 px on a phone. */
export function Checkbox({ label, checked, mixed = false, disabled = false, onChange }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Only a script can set `indeterminate`.
    if (input.current) input.current.indeterminate = mixed
  }, [mixed])
  return (
    <label className="grid size-9 place-items-center max-md:size-11">
      <span className="sr-only">{label}</span>
      <input
        ref={input}
        type="checkbox"
        className="size-4.5 accent-primary"
        checked={checked}
        disabled={disabled}
        onChange={onChange}
      />
    </label>
  )
}
