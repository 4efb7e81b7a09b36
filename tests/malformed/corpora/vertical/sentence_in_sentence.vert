<s>
a	a	DT
<s>
