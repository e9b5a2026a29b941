python3 -c "
import sympy, networkx, shapely
x = sympy.Symbol('x')
assert sympy.latex(sympy.integrate(x ** 2, x)) and networkx.shortest_path(networkx.path_graph(4), 0, 3)
assert shapely.Point(0, 0).buffer(1).area > 3"
