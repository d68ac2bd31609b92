"""How content becomes public: the only way is through an approval."""
