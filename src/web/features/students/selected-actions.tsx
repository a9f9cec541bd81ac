import { Archive, Printer } from 'lucide-react'
import { Button } from '#web/components/button.tsx'
import { figureText } from '#web/lib/count-text.ts'

interface SelectedActionsProps {
  count: number
  /** While the sheets are being fetched. */
  isPrinting: boolean
  onArchive: () => void
  onPrint: () => void
}

/** What can be done with the selected students. */
export function SelectedActions({ count, isPrinting, onArchive, onPrint }: SelectedActionsProps) {
  const shown = figureText(count)
  return (
    <>
      <Button size="sm" icon={<Archive aria-hidden="true" className="size-4" />} onClick={onArchive}>
        Archive Selected ({shown})
      </Button>
      <Button
        variant="outline"
        size="sm"
        icon={<Printer aria-hidden="true" className="size-4" />}
        disabled={isPrinting}
        onClick={onPrint}
      >
        Print Sheets ({shown})
      </Button>
    </>
  )
}
