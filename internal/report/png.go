package report

import (
	"bytes"
	_ "embed"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"sync"
)

//go:embed atlas/regular.png
var regularPNG []byte

//go:embed atlas/bold.png
var boldPNG []byte

// PNG writes a chart as a picture in light colours. It has two pixels for each of
// width, which is at least 240, so that it is sharp on the screens of today. It costs
// four bytes of memory for each pixel.
func PNG(w io.Writer, c Chart, width int) error {
	d := picture(c, float64(max(240, width)))
	bounds := image.Rect(0, 0, int(d.width)*atlasScale, int(d.height)*atlasScale)
	p := &painter{canvas: image.NewRGBA(bounds)}
	for _, s := range d.shapes {
		p.shape(s)
	}
	return png.Encode(w, p.canvas)
}

// painter paints shapes on a canvas.
type painter struct {
	canvas *image.RGBA
	mask   *image.Alpha // of a line, while it is painted
}

func (p *painter) shape(s shape) {
	colour, _ := s.ink.colours()
	if s.fade > 0 {
		ground, _ := surface.colours()
		colour = faded(colour, ground, s.fade)
	}
	for _, r := range s.rects {
		p.rect(r, colour)
	}
	if s.line != nil {
		p.line(s, colour)
	}
	if s.text != "" {
		p.text(s, colour)
	}
}

// rect paints a rectangle, whose edges are rounded to pixels.
func (p *painter) rect(r rect, colour color.RGBA) {
	edge := func(v float64) int { return int(math.Round(v * atlasScale)) }
	box := image.Rect(edge(r.x), edge(r.y), edge(r.x+r.w), edge(r.y+r.h))
	draw.Draw(p.canvas, box, image.NewUniform(colour), image.Point{}, draw.Src)
}

// line paints a line with round ends: each pixel by its distance from the line.
func (p *painter) line(s shape, colour color.RGBA) {
	p.mask = image.NewAlpha(around(s.line, s.wide).Intersect(p.canvas.Rect))
	along := 0.0
	for i := 1; i < len(s.line); i++ {
		a, b := s.line[i-1], s.line[i]
		if s.dash.on == 0 {
			p.segment(a, b, s.wide)
			continue
		}
		whole, long := s.dash.on+s.dash.off, math.Hypot(b.x-a.x, b.y-a.y)
		for at := 0.0; at < long; {
			phase := math.Mod(along+at-s.dash.from+whole, whole)
			next := min(long, at+whole-phase)
			if phase < s.dash.on {
				next = min(long, at+s.dash.on-phase)
				p.segment(between(a, b, at/long), between(a, b, next/long), s.wide)
			}
			at = next + 1e-9
		}
		along += long
	}
	draw.DrawMask(p.canvas, p.mask.Rect, image.NewUniform(colour), image.Point{}, p.mask, p.mask.Rect.Min, draw.Over)
}

// faded returns a colour with a part of the ground's.
func faded(colour, ground color.RGBA, part float64) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-part) + float64(b)*part)) }
	return color.RGBA{mix(colour.R, ground.R), mix(colour.G, ground.G), mix(colour.B, ground.B), 255}
}

// around returns the pixels that lines of a width between points may cover.
func around(points []point, wide float64) image.Rectangle {
	low, high := points[0], points[0]
	for _, p := range points {
		low = point{min(low.x, p.x), min(low.y, p.y)}
		high = point{max(high.x, p.x), max(high.y, p.y)}
	}
	pixel := func(v float64) int { return int(math.Floor(v * atlasScale)) }
	return image.Rect(pixel(low.x-wide), pixel(low.y-wide), pixel(high.x+wide)+1, pixel(high.y+wide)+1)
}

// between returns the point between a and b at a share of the way.
func between(a, b point, share float64) point {
	return point{a.x + (b.x-a.x)*share, a.y + (b.y-a.y)*share}
}

// segment covers what is nearer to a straight line than half its width.
func (p *painter) segment(a, b point, wide float64) {
	ax, ay, bx, by, half := a.x*atlasScale, a.y*atlasScale, b.x*atlasScale, b.y*atlasScale, wide*atlasScale/2
	box := around([]point{a, b}, wide).Intersect(p.mask.Rect)
	dx, dy := bx-ax, by-ay
	long := dx*dx + dy*dy
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			px, py := float64(x)+0.5, float64(y)+0.5
			share := 0.0
			if long > 0 {
				share = max(0, min(1, ((px-ax)*dx+(py-ay)*dy)/long))
			}
			distance := math.Hypot(px-ax-share*dx, py-ay-share*dy)
			cover := uint8(255 * max(0, min(1, half+0.5-distance)))
			if at := p.mask.PixOffset(x, y); cover > p.mask.Pix[at] {
				p.mask.Pix[at] = cover
			}
		}
	}
}

// atlas returns the pictures of regular and bold letters, as masks.
var atlas = sync.OnceValues(func() (regular, bold *image.Alpha) {
	return readMask(regularPNG), readMask(boldPNG)
})

func readMask(text []byte) *image.Alpha {
	picture, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		panic("the atlas is no picture: " + err.Error())
	}
	gray := picture.(*image.Gray)
	return &image.Alpha{Pix: gray.Pix, Stride: gray.Stride, Rect: gray.Rect}
}

// The cells of the atlas, see atlas/make.
const (
	atlasColumns = 32
	atlasLead    = 4 // pixels from the left of a cell to where its character begins
	regularCell  = 32
	boldCell     = 36
)

// text writes a text, in letters that are as wide as those of the atlas.
func (p *painter) text(s shape, colour color.RGBA) {
	mask, bold := atlas()
	cell := regularCell
	if s.bold {
		mask, cell = bold, boldCell
	}
	wide := func(r rune) (glyph, float64) {
		g, ok := glyphs()[r]
		if !ok {
			g = glyphs()['□']
		}
		if s.bold {
			return g, g.bold * atlasScale
		}
		return g, g.regular * atlasScale
	}
	x, y := s.at.x*atlasScale, int(math.Round(s.at.y*atlasScale))
	for _, r := range s.text {
		_, w := wide(r)
		x -= w * s.anchor
	}
	for _, r := range s.text {
		g, w := wide(r)
		from := image.Pt(g.place%atlasColumns*cell, g.place/atlasColumns*cell)
		left, top := int(math.Round(x))-atlasLead, y-cell*3/4
		box := image.Rect(left, top, left+cell, top+cell)
		draw.DrawMask(p.canvas, box, image.NewUniform(colour), image.Point{}, mask, from, draw.Over)
		x += w
	}
}
