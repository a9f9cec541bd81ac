/** Eight rays of three points each, as on the flag's sun, around a disc of radius 30 in a 200 × 200 box. */
const rays = Array.from({ length: 8 }, (_, index) => index * 45)

/** The product's sun, in the colour of the text around it. Decoration: it says nothing. */
export function SunMark({ className }: { className?: string }) {
  return (
    <svg viewBox="-100 -100 200 200" aria-hidden="true" className={className} fill="currentColor">
      <circle r="31" />
      {rays.map((angle) => (
        <g key={angle} transform={`rotate(${angle})`}>
          <path d="M-4.5 -38 L-3 -98 L3 -98 L4.5 -38 Z" />
          <path d="M-11.5 -36 L-13.5 -84 L-9.5 -84 L-6.5 -38 Z" />
          <path d="M11.5 -36 L13.5 -84 L9.5 -84 L6.5 -38 Z" />
        </g>
      ))}
    </svg>
  )
}
