// Package spatial handles shapes of GeoJSON, on the Earth and on a plane: whether they are
// valid, their distance, and how they lie to each other.
//
// It reads JSON values, and does not depend on queries or containers.
//
// # The Earth
//
// The service computes as Microsoft's library for SQL Server does, whose messages
// ST_ISVALIDDETAILED returns ("Spatial Data Types Overview" in the documentation of SQL
// Server): on the ellipsoid of WGS 84, with edges that are arcs of great ellipses. A
// great ellipse is where a plane through the centre cuts the ellipsoid, so seen from the
// centre it is a great circle: here a position is a unit vector from the centre, and an
// edge the shorter arc between two of them. The area of a polygon is on the left of all its
// rings, so a polygon whose outer ring runs clockwise is the rest of the Earth.
//
// Distances are lengths of geodesics, by the formula that [geodesic] names. They agree with
// the distances on Microsoft's page "ST_DISTANCE" to a ten-millionth.
//
// # The plane
//
// Containers with the geospatial configuration Geometry have shapes with straight edges and
// Euclidean distances. The direction of a ring does not matter there.
//
// # Edges
//
// Points less than a micrometre from an edge are on it; on a plane the distance is
// 10^-12 of the greatest coordinate. The service has a tolerance of its own, which is not documented.
package spatial
