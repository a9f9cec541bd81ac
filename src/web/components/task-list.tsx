import { ArrowRight, CircleCheck } from 'lucide-react'
import { Link } from 'react-router'

export interface Task {
  text: string
  to: string
}

/** What is to be done, each a link to its place. @param none in place of an empty list; false for nothing */
export function TaskList({ tasks, none }: { tasks: readonly Task[]; none: string | false }) {
  if (tasks.length === 0 && none !== false) {
    return (
      <p className="flex items-center gap-2 px-4 py-6 text-sm text-muted">
        <CircleCheck className="size-5 text-success" />
        {none}
      </p>
    )
  }
  return (
    <ul>
      {tasks.map(({ text, to }) => (
        <li key={text} className="border-b last:border-b-0">
          <Link
            to={to}
            replace
            className="flex min-h-11 items-center justify-between gap-3 px-4 py-2 text-sm font-medium hover:bg-soft"
          >
            <span className="min-w-0 wrap-anywhere">{text}</span>
            <ArrowRight className="size-4 shrink-0 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
