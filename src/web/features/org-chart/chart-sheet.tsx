import { useId } from 'react'
import { type Drawing, inks, type Shape } from './chart-shapes.ts'

/** A drawing as sharp as the printer. */
export function ChartSheet({ drawing, title }: { drawing: Drawing; title: string }) {
  const { width, height, shapes } = drawing
  const clip = useId()
  return (
    <svg role="img" aria-label={title} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <clipPath id={clip} clipPathUnits="objectBoundingBox">
        <circle cx="0.5" cy="0.5" r="0.5" />
      </clipPath>
      {shapes.map((shape, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a drawing never changes
        <SheetShape key={index} shape={shape} clip={clip} />
      ))}
    </svg>
  )
}

function SheetShape({ shape, clip }: { shape: Shape; clip: string }) {
  switch (shape.kind) {
    case 'line':
      return (
        <line x1={shape.x1} y1={shape.y1} x2={shape.x2} y2={shape.y2} stroke={inks.line} strokeWidth={2} />
      )
    case 'box': {
      const { kind: _, ...box } = shape
      return <rect {...box} rx={inks.corner} strokeWidth={1.5} />
    }
    case 'disc':
      return <circle cx={shape.x} cy={shape.y} r={shape.radius} fill={shape.fill} stroke={shape.stroke} />
    case 'photo':
      return (
        <image
          href={shape.url}
          x={shape.x - shape.radius}
          y={shape.y - shape.radius}
          width={shape.radius * 2}
          height={shape.radius * 2}
          preserveAspectRatio="xMidYMid slice"
          clipPath={`url(#${clip})`}
        />
      )
    case 'text':
      return (
        <text
          x={shape.x}
          y={shape.y}
          fontSize={shape.size}
          fontWeight={shape.weight}
          fill={shape.fill}
          textAnchor={shape.anchor}
        >
          {shape.text}
        </text>
      )
  }
}
