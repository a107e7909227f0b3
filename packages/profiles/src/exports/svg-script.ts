/**
 * What makes the SVG answer: it zooms by click or Enter, searches, shows what the pointer or the keyboard is at. It reads
 * names from the boxes' titles as text, and never makes markup of them. Where scripts do not run, the picture stays whole.
 */
export const svgScript = String.raw`(() => {
  const svg = document.currentScript.parentNode
  const xhtml = 'http://www.w3.org/1999/xhtml'
  const frames = [...svg.querySelectorAll('.f')].map((box) => {
    const words = box.firstElementChild.textContent
    return {
      box, words,
      name: words.split('\n', 1)[0],
      x: parseFloat(box.getAttribute('x')),
      width: parseFloat(box.getAttribute('width')),
      row: +box.dataset.row,
      text: box.querySelector('text'),
    }
  })
  // Boxes come in depth-first order: what is below one follows it.
  const open = []
  frames.forEach((frame, at) => {
    while (open.length > frame.row) open.pop().end = at
    frame.at = at
    frame.parent = open.at(-1)
    open.push(frame)
  })
  while (open.length > 0) open.pop().end = frames.length

  let zoomed = frames[0], current, search = ''

  function label(frame, widthPx) {
    const room = Math.floor((widthPx - 6) / 7.25)
    const { name } = frame
    const short = name.slice(name.lastIndexOf('/') + 1).trimStart() || name
    const text = name.length <= room ? name : room < 3 ? '' : short.length <= room ? short : short.slice(0, room - 1) + '…'
    if (text !== '' || frame.text !== null) {
      if (frame.text === null) {
        frame.text = document.createElementNS(svg.namespaceURI, 'text')
        frame.text.setAttribute('x', '4')
        frame.text.setAttribute('y', '13')
        frame.box.append(frame.text)
      }
      frame.text.textContent = text
    }
  }
  function draw() {
    const widthPx = svg.getBoundingClientRect().width
    const callers = new Set()
    for (let each = zoomed.parent; each; each = each.parent) callers.add(each)
    for (const frame of frames) {
      const isCaller = callers.has(frame)
      const isInside = frame.at >= zoomed.at && frame.at < zoomed.end
      frame.box.style.display = isCaller || isInside ? '' : 'none'
      if (!isCaller && !isInside) continue
      const x = isCaller ? 0 : ((frame.x - zoomed.x) / zoomed.width) * 100
      const width = isCaller ? 100 : (frame.width / zoomed.width) * 100
      frame.box.setAttribute('x', x + '%')
      frame.box.setAttribute('width', width + '%')
      frame.box.classList.toggle('caller', isCaller)
      label(frame, (width / 100) * widthPx)
    }
    reset.disabled = zoomed === frames[0]
    find()
  }
  function find() {
    const words = search.trim().toLowerCase()
    let share = 0, count = 0, coveredTo = 0
    for (const frame of frames) {
      const isFound = words !== '' && frame.name.toLowerCase().includes(words)
      frame.box.classList.toggle('quiet', words !== '' && !isFound)
      if (!isFound || frame.at < zoomed.at || frame.at >= zoomed.end) continue
      count++
      // What is below a match is part of it already.
      if (frame.at < coveredTo) continue
      share += frame.width / zoomed.width
      coveredTo = frame.end
    }
    result.textContent = words === '' ? '' : (share * 100).toFixed(1) + ' % in ' + count + (count === 1 ? ' frame' : ' frames')
  }
  function zoom(frame) {
    zoomed = frame
    draw()
  }
  function show(frame) {
    details.textContent = frame ? frame.words.split('\n').join('  ·  ') : ''
  }
  function go(frame) {
    if (frame === undefined || frame.box.style.display === 'none') return
    current?.box.classList.remove('current')
    current = frame
    frame.box.classList.add('current')
    frame.box.scrollIntoView?.({ block: 'nearest' })
    show(frame)
  }
  const near = (step) => {
    for (let at = current.at + step; frames[at]; at += step) if (frames[at].row === current.row) return frames[at]
  }

  const area = document.createElementNS(svg.namespaceURI, 'foreignObject')
  for (const [name, value] of [['x', 8], ['y', 50], ['width', '98%'], ['height', 30]]) area.setAttribute(name, value)
  const bar = document.createElementNS(xhtml, 'div')
  const field = document.createElementNS(xhtml, 'input')
  field.type = 'search'
  field.placeholder = 'Search ( / or Ctrl-F )'
  field.setAttribute('aria-label', 'Search functions')
  const reset = document.createElementNS(xhtml, 'button')
  reset.textContent = 'Reset zoom'
  const result = document.createElementNS(xhtml, 'output')
  result.setAttribute('aria-label', 'Matches')
  bar.append(field, reset, result)
  area.append(bar)
  svg.insertBefore(area, svg.querySelector('.f'))
  const details = svg.querySelector('.details')
  details.setAttribute('role', 'status')

  field.addEventListener('input', () => { search = field.value; find() })
  reset.addEventListener('click', () => zoom(frames[0]))
  const frameOf = (event) => frames.find(({ box }) => box === event.target.closest?.('.f'))
  svg.addEventListener('click', (event) => {
    const frame = frameOf(event)
    if (frame === undefined) return
    zoom(frame)
    go(frame)
  })
  svg.addEventListener('pointerover', (event) => show(frameOf(event) ?? current))
  svg.tabIndex = 0
  addEventListener('keydown', (event) => {
    const { key } = event
    const isTyping = event.target === field
    if ((key === '/' && !isTyping) || (key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey))) {
      field.focus()
      field.select()
    } else if (key === 'Escape') {
      if (search !== '') { search = field.value = ''; find() } else { field.blur(); zoom(frames[0]) }
    } else if (isTyping || event.target === reset || event.ctrlKey || event.metaKey || event.altKey) return
    else if (current === undefined && /^Arrow/.test(key)) go(zoomed)
    else if (key === 'ArrowUp') go(current.parent)
    else if (key === 'ArrowDown') go(frames[current.at + 1]?.parent === current ? frames[current.at + 1] : undefined)
    else if (key === 'ArrowLeft') go(near(-1))
    else if (key === 'ArrowRight') go(near(1))
    else if ((key === 'Enter' || key === ' ') && current) zoom(current)
    else return
    event.preventDefault()
  })
  svg.setAttribute('width', '100%')
  addEventListener('resize', draw)
  draw()
})()`
