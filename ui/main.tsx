import { render } from 'preact'
import { Inspector } from './view/inspector.tsx'

render(<Inspector />, document.body)
