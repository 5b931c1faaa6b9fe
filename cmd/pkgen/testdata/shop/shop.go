// Package shop has containers of several types, with prefixes of ids and without,
// whose costs are measured.
package shop

// Order shares a container with Line. Their ids never meet.
type Order struct {
	_        struct{} `cosmos:"container=sales,type=order"`
	ID       string   `json:"id" cosmos:"id,prefix=order-"`
	Customer string   `json:"customer" cosmos:"pk"`
	Total    int      `json:"total"`
}

// Line is beside Order.
type Line struct {
	_        struct{} `cosmos:"container=sales,type=line"`
	ID       string   `json:"id" cosmos:"id,prefix=line-"`
	Customer string   `json:"customer" cosmos:"pk"`
}

// Task shares a container with Memo, and each may have the id of the other.
type Task struct {
	_        struct{} `cosmos:"container=desk,type=task"`
	ID       string   `json:"id"`
	Customer string   `json:"customer" cosmos:"pk"`
	Total    int      `json:"total"`
}

// Memo is beside Task.
type Memo struct {
	_        struct{} `cosmos:"container=desk,type=memo"`
	ID       string   `json:"id"`
	Customer string   `json:"customer" cosmos:"pk"`
}
