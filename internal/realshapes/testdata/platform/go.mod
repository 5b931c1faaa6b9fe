module example.com/platform

go 1.25.0
