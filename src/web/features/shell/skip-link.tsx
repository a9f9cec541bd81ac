/** The first stop of the Tab key: over the navigation to the content. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="sr-only z-60 rounded-box bg-card px-4 py-3 font-semibold text-primary shadow-card focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      Skip to the content
    </a>
  )
}
